#!/bin/sh
# A stand-in for the launcher of the harness `command`: it runs nothing and prints known numbers. The last
# argument is an id; each line of `speeds.txt` is an id, nanoseconds and a behaviour, separated by bars.
for id; do :; done
IFS='|' read -r _ wall behaviour <<LINE
$(grep "^$id|" speeds.txt)
LINE
case $behaviour in
    panics)
        echo "index 7 is out of bounds of $id" >&2
        exit 101
        ;;
    'ends with 3')
        echo 'giving up' >&2
        exit 3
        ;;
    hangs) exec sleep 1000 ;;
    'writes nothing') exit 0 ;;
    'prints garbage')
        echo '{{'
        exit 0
        ;;
    'measures zero') wall=0 ;;
    'measures NaN') wall=NaN ;;
esac
printf '{"schema":"benchgate.process/1","wall":%s,"cpu":%s,"peak":4194304,"failure":null}\n' "$wall" "$wall"
