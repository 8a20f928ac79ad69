# objects.sh PIPELINE FOLDER: two modules as objects, compiled apart.
set -e
for each in first=2.0 second=3.0; do
  file=$2/${each%=*}
  sed -e "s/NAME/${each%=*}/; s/FACTOR/${each#*=}/" "${0%/*}/separate.mlir" > "$file.mlir"
  gemm-opt "--$1=chip=h200" "$file.mlir" -o "$file.lowered.mlir" 2> "$file.remarks"
  mlir-translate --mlir-to-llvmir --allow-unregistered-dialect "$file.lowered.mlir" -o "$file.ll"
  opt -O2 "$file.ll" -o "$file.bc"
  llc -relocation-model=pic -filetype=obj "$file.bc" -o "$file.o"
done
