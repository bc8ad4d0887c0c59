#!/usr/bin/env bash
# The whole analysis against a bare count of matching lines on the same file:
#   benches/end_to_end.sh [BYTES] [SHARE]
# Needs hyperfine and ripgrep. Prints wall time, CPU time and their ratios
# (below 1 is faster than ripgrep) and the peak memory.
set -euo pipefail
cd "$(dirname "$0")/.."
bytes=${1:-1073741824}
share=${2:-0.05}
runs=${RUNS:-10}
rg=${RG:-rg}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cargo build --release --quiet
cargo run --release --quiet --example generate -- "$bytes" "$share" 42 \
    > "$folder/access.log"
tool="target/release/streamleak -o json $folder/access.log"
count="$rg -c subscriptions/listen $folder/access.log"

# In turn, one run each, so that a machine that speeds up or slows down does
# so for both.
for run in $(seq "$runs"); do
    hyperfine -N -i -r 1 -w 1 --style none \
        --export-json "$folder/$run.json" "$tool" "$count" > /dev/null 2>&1
done
python3 - "$folder" "$runs" <<'PYTHON'
import json, statistics, sys
folder, runs = sys.argv[1], int(sys.argv[2])
wall, cpu = [], []
for run in range(1, runs + 1):
    ours, rg = json.load(open(f"{folder}/{run}.json"))["results"]
    wall.append((ours["mean"], rg["mean"]))
    total = lambda r: r["user"] + r["system"]
    cpu.append((total(ours), total(rg)))
for name, pairs in (("wall", wall), ("cpu", cpu)):
    ours, rg = (statistics.median(p[i] for p in pairs) for i in (0, 1))
    ratios = sorted(a / b for a, b in pairs)
    print(f"{name}: streamleak {ours:.3f} s, rg {rg:.3f} s, "
          f"ratio {statistics.median(ratios):.2f} "
          f"({ratios[0]:.2f} to {ratios[-1]:.2f})")
PYTHON
/usr/bin/env time -f 'peak memory: %M KiB' $tool > /dev/null || true
