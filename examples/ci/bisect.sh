# git bisect run sh /elsewhere/bisect.sh PACKAGE /elsewhere/path.json
#
# Does the path in the file still lead to something wrong, by the program in the
# package as it is at this commit? 0: no, good; 1: yes, bad; 125: cannot be said,
# skip. Keep this script and the path outside of the repository, or ignored by
# it: they must be there at every commit.
program=$(mktemp)
trap 'rm -f "$program"' EXIT
go build -o "$program" "$1" || exit 125
"$program" replay "$2" --leave-out
status=$?
[ $status -eq 2 ] && exit 125 # there is no such algorithm yet, or it cannot be walked through
exit $status
