# For the tests of the open world's command, which source this: a copy of its documents for a small world in $folder/world,
# and the arguments `here` for it. The folder is gone with the test.
results=tiles
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/world"
cp -L src/apps/openworld/world/*.json src/apps/openworld/world/*.lua "$folder/world"
chmod u+w "$folder/world"/*
sed -i 's/"columns": 16/"columns": 6/; s/"rows": 12/"rows": 5/; s/"per_tile": [0-9]*/"per_tile": 3/' "$folder/world/world.json"
world=(--world "$folder/world")
tiles=(--tiles "$folder/tiles")
map=(--map "$folder/map.svg")
here=("${world[@]}" "${tiles[@]}" "${map[@]}")
