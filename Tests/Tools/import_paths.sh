# Sourced at the top of the project, with a configuration: where a compiler finds the modules of that build, and the
# system libraries that these import, in the array `includes`.
includes=(-I ".build/$1/Modules")
for map in Sources/System/*/module.modulemap Sources/System/*/include/module.modulemap; do
  if [ -f "$map" ]; then includes+=(-I "$(dirname "$map")"); fi
done
