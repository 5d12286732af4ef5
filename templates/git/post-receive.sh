#!/bin/sh
# After a push to a player's branch: the referee takes what is new, and plays what is due. Deadlines need cron besides:
#   */10 * * * * adjudicator git turn CLONE
pushed=no
while read -r _ _ ref; do
  case "$ref" in
    refs/heads/box/* | refs/heads/box.*) pushed=yes ;;
  esac
done
[ "$pushed" = yes ] || exit 0
unset GIT_DIR GIT_QUARANTINE_PATH
exec adjudicator git turn CLONE
