#!/bin/sh
# Compile every proof from nothing, check all of it again with the independent checker, which prints all axioms, and
# print those of every theorem. Nothing is written beside the sources.
set -e
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cp "$(dirname "$0")"/*.v "$folder"
cd "$folder"
files=$(coqdep -Q . NB -sort ./*.v)
for file in $files; do coqc -q -Q . NB "$file"; done
coqchk -silent -o -Q . NB $(printf 'NB.%s ' $(basename -s .v $files))
for name in $(basename -s .v $files); do
    test "$name" = Examples && continue
    echo "From NB Require $name."
    sed -nE 's/^(Theorem|Corollary|Example) (\w+).*/\2/p' "$name.v" | while read -r theorem; do
        echo "Goal True. idtac \"theorem $name.$theorem\". Abort. Print Assumptions NB.$name.$theorem."
    done
done > Assumptions.v
coqc -q -Q . NB Assumptions.v
