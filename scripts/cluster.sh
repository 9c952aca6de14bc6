#!/bin/sh
# Neptune on one machine as it would be on several: PostgreSQL, Swift, two nodes, nginx. docs/operating/cluster.md explains each step, and
# its blocks are these functions.
#
#   scripts/cluster.sh start DIR [PART…]     install what is missing, start what does not run; all parts if none is named
#   scripts/cluster.sh stop DIR [PART…]      end them, in the other order
#   scripts/cluster.sh restart DIR [PART…]   one after the other; of a node nobody notices
#   scripts/cluster.sh status DIR [PART…]    what runs, or is there
#
# Parts are postgres, swift, settings, node1, node2, node3 …, nginx. nginx listens on PORT (8080), node n on PORT + n, PostgreSQL on
# PORT + 50 and Swift on PORT + 51, all of them on the loopback. DIR remembers its PORT.
set -eu
umask 077
cd "$(dirname "$0")/.."
PATH=$PWD/node_modules/.bin:$PATH:/usr/sbin

install_packages() {
  apt-get update
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql nginx curl procps \
    swift-proxy swift-account swift-container swift-object memcached
}

# PostgreSQL refuses to run as root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

random() {
  od -An -N 24 -tx1 /dev/urandom | tr -d ' \n'
}

make_folder() {
  mkdir -p "$DIR"
  chmod 711 "$DIR"
  echo "$PORT" >"$DIR/port"
}

find_postgres() {
  BIN=$(find /usr/lib/postgresql/*/bin -maxdepth 0 | tail -n 1)
}

make_postgres() {
  if [ "$(id -u)" = 0 ]; then install -d -o postgres "$DIR/postgres"; fi
  as_postgres "$BIN/initdb" -D "$DIR/postgres" -U postgres -E UTF8 --no-locale --auth-local=trust --auth-host=scram-sha-256
  as_postgres tee -a "$DIR/postgres/postgresql.conf" >/dev/null <<END
listen_addresses = '127.0.0.1'
port = $((PORT + 50))
unix_socket_directories = '$DIR/postgres'
max_connections = 200
END
}

start_postgres() {
  as_postgres "$BIN/pg_ctl" -D "$DIR/postgres" -l "$DIR/postgres/server.log" -w start
}

make_database() {
  password=$(random)
  as_postgres psql -h "$DIR/postgres" -p $((PORT + 50)) -U postgres -v ON_ERROR_STOP=1 <<END
create role neptune login password '$password';
create database neptune owner neptune;
END
  printf %s "$password" >"$DIR/postgres.password"
}

start_swift() {
  S3_PORT=$((PORT + 51)) node scripts/swift.mjs start "$DIR/swift" >"$DIR/swift.env"
}

write_settings() {
  cat "$DIR/swift.env" - >"$DIR/neptune.env" <<END
S3_BUCKET=neptune
DATABASE_URL=postgres://neptune:$(cat "$DIR/postgres.password")@127.0.0.1:$((PORT + 50))/neptune
SECRET_KEY=$(random)
PUBLIC_URL=http://localhost:$PORT
TRUST_PROXY=127.0.0.1
END
}

is_node() {
  grep -qszxF "DATA_DIR=$DIR/node$N" "/proc/$(cat "$DIR/node$N.pid" 2>/dev/null)/environ"
}

start_node() {
  mkdir -p "$DIR/node$N"
  (
    set -a
    . "$DIR/neptune.env"
    PORT=$((PORT + N)) DATA_DIR=$DIR/node$N exec sh -c \
      'setsid node --max-semi-space-size=8 scripts/start.mjs & echo $! >"$DATA_DIR.pid"'
  ) >>"$DIR/node$N.log" 2>&1 </dev/null
  while is_node && ! curl -fs "http://127.0.0.1:$((PORT + N))/readyz" >/dev/null; do sleep 0.2; done
  is_node || { tail -n 3 "$DIR/node$N.log" && false; }
}

enter_nginx() {
  mkdir -p "$DIR/nginx"
  line="server 127.0.0.1:$((PORT + N)) max_fails=3 fail_timeout=5s;"
  grep -qsxF "$line" "$DIR/nginx/nodes.conf" || echo "$line" >>"$DIR/nginx/nodes.conf"
}

reload_nginx() {
  nginx -p "$DIR/nginx" -e error.log -c nginx.conf -s reload
}

leave_nginx() {
  old=$(pgrep -d , -P "$(cat "$DIR/nginx/nginx.pid")")
  sed -i "/:$((PORT + N)) /d" "$DIR/nginx/nodes.conf"
  nginx -p "$DIR/nginx" -e error.log -c nginx.conf -s reload
  for _ in $(seq 600); do
    ps -p "$old" >/dev/null || break
    sleep 0.2
  done
}

write_nginx() {
  mkdir -p "$DIR/nginx"
  cat >"$DIR/nginx/nginx.conf" <<END
$(if [ "$(id -u)" = 0 ]; then echo 'user www-data;'; fi)
pid nginx.pid;
error_log error.log crit;
worker_processes auto;
events {
  worker_connections 4096;
}
http {
  server_tokens off;
  access_log off;
  client_body_temp_path tmp;
  proxy_temp_path tmp;
  fastcgi_temp_path tmp;
  uwsgi_temp_path tmp;
  scgi_temp_path tmp;

  limit_conn_zone \$binary_remote_addr zone=people:10m;

  upstream neptune {
    include nodes.conf;
    keepalive 32;
    keepalive_timeout 5s;
  }

  server {
    listen 127.0.0.1:$PORT;
    limit_conn people 100;
    client_max_body_size 0;
    client_body_timeout 75s;
    send_timeout 75s;

    location / {
      proxy_pass http://neptune;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host \$http_host;
      proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;

      proxy_request_buffering off;
      proxy_buffering off;

      proxy_connect_timeout 2s;
      proxy_send_timeout 75s;
      proxy_read_timeout 300s;

      proxy_next_upstream error timeout;
      proxy_next_upstream_tries 2;
      proxy_next_upstream_timeout 5s;
    }
  }
}
END
}

start_nginx() {
  nginx -p "$DIR/nginx" -e error.log -c nginx.conf
}

stop_nginx() {
  kill "$(cat "$DIR/nginx/nginx.pid")"
}

stop_node() {
  kill "$(cat "$DIR/node$N.pid")"
}

stop_swift() {
  node scripts/swift.mjs stop "$DIR/swift"
}

stop_postgres() {
  as_postgres "$BIN/pg_ctl" -D "$DIR/postgres" -m fast -w stop
}

# From here on nothing is on the page: which of the steps above are to be done.

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

# Two nodes at least, and every other one that has a folder.
all_parts() {
  echo postgres swift settings node1 node2
  for n in $(seq 3 49); do
    if [ -d "$DIR/node$n" ]; then echo "node$n"; fi
  done
  echo nginx
}

check_part() {
  case $1 in
    postgres | swift | settings | nginx | node[1-9] | node[1-4][0-9]) ;;
    *) fail "there is no part $1: they are postgres, swift, settings, node1 to node49 and nginx" ;;
  esac
}

# DIR has one port from its first start on. A start without any takes 8080.
find_port() {
  if [ -s "$DIR/port" ]; then
    known=$(cat "$DIR/port")
    [ "${PORT:-$known}" = "$known" ] || fail "$DIR has the port $known, not $PORT: leave PORT out, or take another folder"
    PORT=$known
  else
    [ "$command" = start ] || fail "nothing was ever started in $DIR"
    PORT=${PORT:-8080}
  fi
}

# By the file with its pid. One that does not name our folder is another's that has got the same pid; a dead one names nothing.
is_alive() {
  [ -s "$1" ] && grep -qsaF "$2" "/proc/$(head -n 1 "$1")/cmdline"
}

is_running() {
  case $1 in
    postgres) is_alive "$DIR/postgres/postmaster.pid" "$DIR/postgres" ;;
    swift) curl -fs -m 5 "http://127.0.0.1:$((PORT + 51))/healthcheck" >/dev/null ;;
    settings) [ -s "$DIR/neptune.env" ] ;;
    node*) N=${1#node} && is_node ;;
    nginx) is_alive "$DIR/nginx/nginx.pid" "$DIR/nginx" ;;
  esac
}

start() {
  if is_running "$1"; then return; fi
  echo "starting $1"
  case $1 in
    postgres)
      as_postgres test -x "$DIR" || fail "the user postgres cannot reach $DIR: take a folder such as /srv/cluster"
      [ -f "$DIR/postgres/PG_VERSION" ] || make_postgres
      start_postgres
      [ -s "$DIR/postgres.password" ] || make_database
      ;;
    swift) start_swift ;;
    settings)
      for file in swift.env postgres.password; do
        [ -s "$DIR/$file" ] || fail 'postgres and swift come before settings'
      done
      write_settings
      ;;
    node*)
      ! curl -s -m 2 "http://127.0.0.1:$((PORT + N))/healthz" >/dev/null || fail "another program listens on port $((PORT + N))"
      start_node
      if ! grep -qs ":$((PORT + N)) " "$DIR/nginx/nodes.conf"; then
        enter_nginx
        if is_running nginx; then reload_nginx; fi
      fi
      ;;
    nginx)
      write_nginx
      start_nginx
      ;;
  esac
}

# One that hangs is killed after a minute: Neptune takes 35 seconds at most.
wait_for_end() {
  for _ in $(seq 600); do
    is_running "$1" || return 0
    sleep 0.1
  done
  kill -KILL "$(cat "$2")"
}

stop() {
  case $1 in
    settings) return ;;
    # Some of it may run even if the whole does not answer.
    swift) [ -d "$DIR/swift" ] || return 0 ;;
    *) is_running "$1" || return 0 ;;
  esac
  echo "stopping $1"
  case $1 in
    postgres) stop_postgres ;;
    swift) stop_swift ;;
    node*)
      # The last one stays in its list: nginx does not start without any.
      if is_running nginx && [ "$(wc -l <"$DIR/nginx/nodes.conf")" -gt 1 ]; then leave_nginx; fi
      stop_node
      wait_for_end "$1" "$DIR/$1.pid"
      ;;
    nginx)
      stop_nginx
      wait_for_end nginx "$DIR/nginx/nginx.pid"
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
parts=${*:-$(all_parts)}
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
    if is_running nginx; then echo "http://localhost:$PORT; the first admin and the password are in $DIR/node1.log"; fi
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
      if is_running "$part"; then echo "$part: yes"; else echo "$part: no"; fi
    done
    ;;
esac
