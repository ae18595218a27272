#!/usr/bin/env bash
# instantiate.sh NAME FOLDER OUT: the skeleton of a structure called NAME (lower_snake_case), for
# FOLDER of the workspace, written to OUT. The templates stand beside this file:
#   @name@  lower_snake_case    @Name@  CamelCase    @folder@  FOLDER    @GUARD@  the include guard
set -euo pipefail
templates=$(dirname "${BASH_SOURCE[0]}")
name=$1 folder=$2 out=$3
class=$(sed -E 's/(^|_)([a-z0-9])/\u\2/g' <<<"$name")
guard=NOWAIT_$(tr 'a-z/' 'A-Z_' <<<"$folder/$name")_H_
for template in "$templates"/name*.template "$templates/BUILD.template"; do
  file=$(basename "$template" .template)
  sed -e "s|@name@|$name|g" -e "s|@Name@|$class|g" -e "s|@folder@|$folder|g" -e "s|@GUARD@|$guard|g" \
    "$template" >"$out/${file/#name/$name}"
done
