#!/bin/sh
# Compile every proof from nothing, check all of it again with the independent checker, and print the axioms of every
# theorem. Nothing is written beside the sources.
set -e
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cp "$(dirname "$0")"/*.v "$folder"
cd "$folder"
files=$(coqdep -Q . NB -sort ./*.v)
for file in $files; do coqc -q -Q . NB "$file"; done
coqchk -silent -o -Q . NB $(printf 'NB.%s ' $(basename -s .v $files))
for file in $files; do
    name=$(basename "$file" .v)
    echo "From NB Require $name."
    sed -nE "s/^(Theorem|Corollary|Example) (\w+).*/Goal True. idtac \"theorem $name.\2\". Abort.\nPrint Assumptions NB.$name.\2./p" \
        "$file"
done > Assumptions.v
coqc -q -Q . NB Assumptions.v
