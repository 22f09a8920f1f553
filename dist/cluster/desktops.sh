#!/bin/sh
# Workers on desktops, by ssh: desktops.sh URL KEY HOST...
# Each host needs the program `tesuji`; the workers run at the lowest priority until they are killed.
set -eu
url=$1 key=$2
shift 2
for host in "$@"; do
    scp -q "$key" "$host:.tesuji-worker.nk"
    ssh "$host" "chmod 600 .tesuji-worker.nk; nohup nice -n 19 tesuji worker '$url' --credentials .tesuji-worker.nk > tesuji-worker.log 2>&1 < /dev/null &"
    echo "$host: started"
done
