#!/bin/sh
# A stand-in for `java -jar benchmarks.jar` with JMH in it, with known speeds: it measures nothing. Each line of
# `speeds.txt` is a name, nanoseconds, allocated bytes and a behaviour, separated by bars; a line that begins with a
# space is what the list shows below the name before it.
set -eu

[ "$1" != -version ] || {
    echo 'OpenJDK Fake VM (build 17.0.0-fake)' >&2
    exit 0
}
[ -f "$2" ] || {
    echo "Error: Unable to access jarfile $2" >&2
    exit 1
}

case "$*" in
    *' -lp')
        echo 'Benchmarks: '
        sed 's/|.*//' speeds.txt
        exit 0
        ;;
esac

file='' params='' asked=$*
while [ $# -gt 1 ]; do
    case $1 in
        -rff) file=$2 ;;
        -p) params="$params${params:+,}\"${2%%=*}\":\"${2#*=}\"" ;;
    esac
    shift
done
echo "$asked" >>"${FAKE_LOG:-/dev/null}.java"
name=${1#^\\Q}
name=${name%\\E\$}
entry=$(grep -F "$name|" speeds.txt)
rest=${entry#*|}
ns=${rest%%|*}
rest=${rest#*|}
bytes=${rest%%|*}
behaviour=${rest#*|}

result() {
    cat <<JSON
{"jmhVersion":"1.37","benchmark":"$1","mode":"avgt","threads":1,"forks":1,"measurementTime":"100 ms",
"params":{$params},"primaryMetric":{"score":$2,"scoreError":"NaN","scoreConfidence":["NaN","NaN"],
"scoreUnit":"us/op","rawData":[[$2,$2,$2]]},
"secondaryMetrics":{"gc.alloc.rate.norm":{"scoreUnit":"B/op","rawData":[[$bytes.001,$bytes.003]]},
"gc.count":{"scoreError":"NaN","scoreUnit":"counts","rawData":[["NaN"]]}}}
JSON
}

us="${ns}e-3"
case $behaviour in
    panics)
        printf 'java.lang.IllegalStateException: index 7 is out of bounds\n\tat p.Fake.panics(Fake.java:3)\n'
        exit 1
        ;;
    'ends with 3')
        echo giving up >&2
        exit 3
        ;;
    hangs) exec sleep 1000 ;;
    'writes nothing') ;;
    'leaves an empty file') : >"$file" ;;
    'leaves a link')
        echo "[$(result "$name" "$us")]" >"$file.elsewhere"
        ln -s "$file.elsewhere" "$file"
        ;;
    'leaves a pipe') mkfifo "$file" ;;
    'writes an empty list') echo '[ ]' >"$file" ;;
    'prints garbage') echo '{{' >"$file" ;;
    'measures zero') echo "[$(result "$name" 0)]" >"$file" ;;
    'measures NaN') echo "[$(result "$name" '"NaN"')]" >"$file" ;;
    'measures twice') echo "[$(result "$name" "$us"),$(result "$name" "$us")]" >"$file" ;;
    'measures another') echo "[$(result p.Another.a "$us")]" >"$file" ;;
    *) echo "[$(result "$name" "$us")]" >"$file" ;;
esac
