#!/bin/sh
# on_both_processors.sh PROGRAM [ARGUMENT...]: a program of AArch64 under qemu, on a processor without the atomics of
# ARMv8.1 and on one with them. tests/aarch64/processor_test.cc reads which one it is.
status=0
for processor in cortex-a53 max; do
  printf '%s\n' "qemu-aarch64 -cpu $processor"
  NOWAIT_PROCESSOR=$processor qemu-aarch64 -cpu "$processor" "$@" || status=1
done
exit $status
