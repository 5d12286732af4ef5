#!/bin/sh
# Before a push is taken: the referee may write all branches. Anybody else moves one branch, box/MATCH/PLAYER, of a seat
# that exists, forwards, within size. The referee proves itself by a word that stands in the settings of this repository
# and of the referee's clone, or by an account; docs/git.md says how accounts are named.
MOST_KB=4096
word=$(git config --get adjudicator.word)
[ -n "$word" ] && [ "${GIT_PUSH_OPTION_COUNT:-0}" = 1 ] && [ "$GIT_PUSH_OPTION_0" = "$word" ] && exit 0
who=${GL_USER:-${REMOTE_USER:-$ADJUDICATOR_WHO}}
[ -n "$who" ] && git config --get-all adjudicator.referee | grep -qxF -e "$who" && exit 0

refuse() {
  echo "Refused: $1" >&2
  exit 1
}

only="a player pushes to one branch, box/MATCH/PLAYER of a seat in this repository; nothing was taken"
count=0
while read -r old new ref; do
  count=$((count + 1))
  case "$ref" in
    refs/heads/box/*) seat=${ref#refs/heads/box/} ;;
    refs/heads/box.*.*.[234]) # a name beside it, where another branch stood in its place
      seat=${ref#refs/heads/box.}
      seat=${seat%.?}
      seat=${seat%%.*}/${seat#*.}
      ;;
    *) refuse "$only" ;;
  esac
  case "$seat" in
    *[!a-z0-9_/-]* | */*/* | /* | */) refuse "$only" ;;
    */*) ;;
    *) refuse "$only" ;;
  esac
  [ "$count" = 1 ] || refuse "$only"
  git cat-file blob "refs/heads/main:${seat%/*}/match.yaml" 2>/dev/null |
    sed -n '/^players:/,/^[a-z]*:/{s/^players://;s/^ *- //;/^[a-z]*:/d;p;}' | tr -c 'a-z0-9_\n-' '\n' |
    grep -qxF -e "${seat#*/}" || refuse "$only"
  accounts=$(git config --get-all "adjudicator.$seat.account")
  if [ -n "$accounts" ]; then
    echo "$accounts" | grep -qxF -e "${who:-nobody}" || refuse "this account may not push to $seat"
  fi
  case "$new" in
    *[!0]*) ;;
    *) refuse "what was pushed stays: a branch can't be deleted" ;;
  esac
  case "$old" in
    *[!0]*) git merge-base --is-ancestor "$old" "$new" || refuse "what was pushed stays: fetch the branch, and push after it" ;;
  esac
  size=$(du -sk "${GIT_QUARANTINE_PATH:-.}" | cut -f 1)
  [ "$size" -le "$MOST_KB" ] || refuse "that is $size kB, and at most $MOST_KB are taken at once"
done
