#!/bin/sh
# Runs a cluster on one machine: PostgreSQL, Swift, two nodes and nginx. docs/operating/cluster.md explains it. The steps are in
# cluster-steps.sh; this script decides which of them to run.
#
#   scripts/cluster.sh start DIR [PART…]     install what is missing and start the parts that are not running; default: all parts
#   scripts/cluster.sh stop DIR [PART…]      stop them, in reverse order
#   scripts/cluster.sh restart DIR [PART…]   restart them one by one; users do not notice the restart of a node
#   scripts/cluster.sh status DIR [PART…]    show which parts are running (settings: whether the file exists)
#
# Parts are postgres, swift, settings, node1, node2, node3 …, nginx. nginx listens on PORT (8080), node n on PORT + n, PostgreSQL on
# PORT + 50 and Swift on PORT + 51, all on the loopback interface. DIR stores its PORT.
set -eu
umask 077
cd "$(dirname "$0")/.."
PATH=$PWD/node_modules/.bin:$PATH:/usr/sbin
. ./scripts/cluster-steps.sh

fail() {
  echo "cluster: $1" >&2
  exit 1
}

has_packages() {
  for program in nginx curl pgrep swift-proxy-server swift-object-server memcached; do
    command -v "$program" >/dev/null || return 1
  done
  [ -d /usr/lib/postgresql ]
}

# Lists all parts: at least two nodes, and every other node that has a folder.
list_parts() {
  echo postgres swift settings node1 node2
  for n in $(seq 3 49); do
    if [ -d "$DIR/node$n" ]; then echo "node$n"; fi
  done
  echo nginx
}

check_part() {
  case $1 in
    postgres | swift | settings | nginx | node[1-9] | node[1-4][0-9]) ;;
    *) fail "unknown part $1: choose from postgres, swift, settings, node1 to node49 and nginx" ;;
  esac
}

# The first start stores the port in DIR. The default is 8080.
find_port() {
  if [ -s "$DIR/port" ]; then
    known=$(cat "$DIR/port")
    [ "${PORT:-$known}" = "$known" ] || fail "$DIR uses the port $known, not $PORT: leave PORT out, or use another folder"
    PORT=$known
  else
    [ "$command" = start ] || fail "nothing was started in $DIR yet"
    PORT=${PORT:-8080}
  fi
}

# Checks a pid file. The command line must contain our folder, because another process may have the same pid by now.
is_alive() {
  [ -s "$1" ] && grep -qsaF "$2" "/proc/$(head -n 1 "$1")/cmdline"
}

is_running() {
  case $1 in
    postgres) is_alive "$DIR/postgres/postmaster.pid" "$DIR/postgres" ;;
    swift) curl -fs -m 5 "http://127.0.0.1:$((PORT + 51))/healthcheck" >/dev/null ;;
    settings) [ -s "$DIR/neptune.env" ] ;;
    node*) N=${1#node} && is_node_running ;;
    nginx) is_alive "$DIR/nginx/nginx.pid" "$DIR/nginx" ;;
  esac
}

start() {
  if is_running "$1"; then return; fi
  echo "starting $1"
  case $1 in
    postgres)
      as_postgres test -x "$DIR" || fail "the user postgres cannot access $DIR: use a folder such as /srv/cluster"
      [ -f "$DIR/postgres/PG_VERSION" ] || make_postgres
      start_postgres
      [ -s "$DIR/postgres.password" ] || make_database
      ;;
    swift) start_swift ;;
    settings)
      for file in swift.env postgres.password; do
        [ -s "$DIR/$file" ] || fail 'start postgres and swift before settings'
      done
      write_settings
      ;;
    node*)
      ! curl -s -m 2 "http://127.0.0.1:$((PORT + N))/healthz" >/dev/null || fail "another program listens on port $((PORT + N))"
      start_node
      if ! grep -qs ":$((PORT + N)) " "$DIR/nginx/nodes.conf"; then
        add_to_nginx
        if is_running nginx; then reload_nginx; fi
      fi
      ;;
    nginx)
      write_nginx
      start_nginx
      ;;
  esac
}

# Waits until a part has stopped, and kills it after a minute. Neptune takes 35 seconds at most.
wait_until_stopped() {
  for _ in $(seq 600); do
    is_running "$1" || return 0
    sleep 0.1
  done
  kill -KILL "$(cat "$2")"
}

stop() {
  case $1 in
    settings) return ;;
    # Some of its processes may be running even if Swift does not respond.
    swift) [ -d "$DIR/swift" ] || return 0 ;;
    *) is_running "$1" || return 0 ;;
  esac
  echo "stopping $1"
  case $1 in
    postgres) stop_postgres ;;
    swift) stop_swift ;;
    node*)
      # The last node stays in the list: nginx does not start without one.
      if is_running nginx && [ "$(wc -l <"$DIR/nginx/nodes.conf")" -gt 1 ]; then remove_from_nginx; fi
      stop_node
      wait_until_stopped "$1" "$DIR/$1.pid"
      ;;
    nginx)
      stop_nginx
      wait_until_stopped nginx "$DIR/nginx/nginx.pid"
      ;;
  esac
}

usage() {
  echo 'usage: scripts/cluster.sh start|stop|restart|status DIR [PART…]' >&2
  exit 2
}

[ $# -ge 2 ] || usage
command=$1
DIR=$(realpath -m "$2")
shift 2
case $command in start | stop | restart | status) ;; *) usage ;; esac
parts=${*:-$(list_parts)}
for part in $parts; do check_part "$part"; done
find_port
if [ "$command" = start ]; then
  has_packages || install_packages
  [ -d node_modules ] || npm ci
  make_folder
fi
find_postgres
case $command in
  start)
    for part in $parts; do start "$part"; done
    if is_running nginx; then echo "Neptune is at http://localhost:$PORT. The first admin and the password are in $DIR/node1.log."; fi
    ;;
  stop) for part in $(echo "$parts" | tr ' ' '\n' | tac); do stop "$part"; done ;;
  restart)
    for part in $parts; do
      stop "$part"
      start "$part"
    done
    ;;
  status)
    for part in $parts; do
      if is_running "$part"; then echo "$part: running"; else echo "$part: not running"; fi
    done
    ;;
esac
