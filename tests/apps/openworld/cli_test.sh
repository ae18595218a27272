#!/usr/bin/env bash
# usage: cli_test.sh PROGRAM: bad arguments, bad documents, damaged tiles, a full disk. Its rides are those of rides_test.sh.
set -euo pipefail
program=$1
source tests/support/expect.sh
source tests/apps/openworld/small_world.sh

expect "tiles are made" 0 "made 30 tiles" "${here[@]}" --make-tiles
expect "before and more threads" 2 "--scaling" "${here[@]}" --before "$folder/a.svg" --scaling "$folder/b.svg"
expect "help" 0 "--make-tiles" --help

# A script that fails while it runs; the tiles are made anew with it.
sed -i 's/^function update(self)$/&\n  error("no camp")/' "$folder/world/camp.lua"
expect "a script that fails is said, and the ride goes on" 0 "no camp; the scene is without its script" "${here[@]}" --seconds 2 --unpaced --replay 3
cp -L src/apps/openworld/world/camp.lua "$folder/world"
expect "the tiles again" 0 "made 30 tiles" "${here[@]}" --make-tiles

for tile in "$folder"/tiles/tile-*; do
  printf 'x' | dd of="$tile" bs=1 seek=5000 conv=notrunc status=none
done
expect "damaged tiles" 0 "is missing: blob is damaged: its checksum does not match" "${here[@]}" --seconds 2
printf 'x' > "$folder/tiles/index"
expect "a damaged index: made anew" 0 "made 30 tiles" "${here[@]}" --seconds 1 --unpaced

# As a full disk: files end after 64 KiB. No index is left, so that the next ride makes the tiles.
(ulimit -f 64; expect "a full disk while the tiles are made" 1 "openworld: " "${here[@]}" --make-tiles)
if [ -e "$folder/tiles/index" ]; then
  echo "FAILED: tiles that are not whole have an index"
  exit 1
fi
expect "room again: made anew" 0 "made 30 tiles" "${here[@]}" --make-tiles
(ulimit -f 16; expect "a full disk while the map is written" 1 "openworld: $folder/map.svg: " "${here[@]}" --seconds 1 --unpaced)

expect "no seconds" 2 "openworld: --seconds: '0' is not a whole number" --seconds 0
expect "three steps" 2 "--steps" --steps 3
expect "too many threads" 2 "--threads" --threads 65
expect "no thread to park" 2 "openworld: --park-worker needs --threads of two or more" --park-worker --threads 1
expect "a parked thread and more threads" 2 "--park-worker" "${here[@]}" --park-worker --scaling "$folder/b.svg"
expect "an unknown option" 2 "--fast" --fast
expect "no terrain" 1 "openworld: $folder/none: terrain file not found" "${here[@]}" --seconds 1 --terrain "$folder/none"
expect "no documents" 1 "openworld: $folder/none/world.json not found" "${tiles[@]}" --seconds 1 --world "$folder/none"
: > "$folder/file"
expect "a file in the way" 1 "openworld: $folder/file: " "${world[@]}" --seconds 1 --tiles "$folder/file"
expect "a map that is a folder" 1 "openworld: --map: $folder: is a folder" "${world[@]}" "${tiles[@]}" --seconds 1 --map "$folder"
sed -i 's/"encounter": 40/"encounter": 4000/' "$folder/world/camp.json"
expect "a bad scene" 1 "openworld: camp.json: encounter: not a number from 1 to 125" "${here[@]}" --seconds 1
cp -L src/apps/openworld/world/camp.json "$folder/world"
sed -i 's/^function update(self)$/function update(self/' "$folder/world/camp.lua"
expect "a script with a syntax error" 1 "openworld: camp.lua:" "${here[@]}" --seconds 1
rm -f "$folder/world/camp.lua"
expect "a script that is not there" 1 "openworld: $folder/world/camp.lua not found" "${here[@]}" --seconds 1
cp -L src/apps/openworld/world/camp.lua "$folder/world"
sed -i 's/"south": 14400/"south": 31500/' "$folder/world/world.json"
expect "ground that was not measured" 1 "openworld: tile 0, " "${here[@]}" --seconds 1
sed -i 's/"south": 31500/"south": 14400/' "$folder/world/world.json"

echo "$passed passed, 0 failed"
