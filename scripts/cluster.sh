#!/bin/sh
# Neptune on one machine as it would be on several: PostgreSQL, Swift, two nodes, nginx. docs/operating/cluster.md explains each step, and
# its blocks are these functions.
#
#   scripts/cluster.sh start DIR [PART…]     install what is missing, start what does not run; all parts if none is named
#   scripts/cluster.sh stop DIR [PART…]      end them, in the other order
#   scripts/cluster.sh restart DIR [PART…]   one after the other; of a node nobody notices
#   scripts/cluster.sh status DIR            what runs, or is there
#
# Parts are postgres, swift, settings, node1, node2, node3 …, nginx. nginx listens on PORT (8080), node n on PORT + n, PostgreSQL on
# PORT + 50 and Swift on PORT + 51, all of them on the loopback.
set -eu
umask 077
cd "$(dirname "$0")/.."
PORT=${PORT:-8080}
PATH=$PWD/node_modules/.bin:$PATH:/usr/sbin

install_packages() {
  apt-get update
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql nginx curl procps \
    swift-proxy swift-account swift-container swift-object memcached
}

# PostgreSQL refuses to run as root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

random() {
  od -An -N 24 -tx1 /dev/urandom | tr -d ' \n'
}

make_folder() {
  mkdir -p "$DIR"
  chmod 711 "$DIR"
  BIN=$(find /usr/lib/postgresql/*/bin -maxdepth 0 | tail -n 1)
}

make_postgres() {
  if [ "$(id -u)" = 0 ]; then install -d -o postgres "$DIR/postgres"; fi
  as_postgres "$BIN/initdb" -D "$DIR/postgres" -U postgres -E UTF8 --no-locale --auth-local=trust --auth-host=scram-sha-256
  as_postgres tee -a "$DIR/postgres/postgresql.conf" <<END
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
  random >"$DIR/postgres.password"
  as_postgres psql -h "$DIR/postgres" -p $((PORT + 50)) -U postgres <<END
create role neptune login password '$(cat "$DIR/postgres.password")';
create database neptune owner neptune;
END
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

start_node() {
  mkdir -p "$DIR/node$N"
  (
    set -a
    . "$DIR/neptune.env"
    PORT=$((PORT + N)) DATA_DIR=$DIR/node$N exec setsid node --max-semi-space-size=8 scripts/start.mjs
  ) >>"$DIR/node$N.log" 2>&1 </dev/null &
  echo $! >"$DIR/node$N.pid"
  until curl -fs "http://127.0.0.1:$((PORT + N))/readyz" >/dev/null; do
    kill -0 "$(cat "$DIR/node$N.pid")"
    sleep 0.2
  done
}

enter_nginx() {
  mkdir -p "$DIR/nginx"
  echo "server 127.0.0.1:$((PORT + N)) max_fails=3 fail_timeout=5s;" >>"$DIR/nginx/nodes.conf"
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
user www-data;
pid nginx.pid;
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

  upstream neptune {
    include nodes.conf;
    keepalive 32;
    keepalive_timeout 5s;
  }

  server {
    listen 127.0.0.1:$PORT;
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

# From here on nothing is on the page: which of the steps above are to be done.

has_packages() {
  command -v nginx curl pgrep swift-proxy-server swift-object-server memcached >/dev/null && [ -d /usr/lib/postgresql ]
}

# By the file with its number. One that is dead and that nobody has buried yet is gone, too.
is_alive() {
  [ -s "$1" ] && grep -qs '^State:.[^Z]' "/proc/$(head -n 1 "$1")/status"
}

is_running() {
  case $1 in
    postgres) is_alive "$DIR/postgres/postmaster.pid" ;;
    swift) curl -fs "http://127.0.0.1:$((PORT + 51))/healthcheck" >/dev/null ;;
    settings) [ -s "$DIR/neptune.env" ] ;;
    node*) is_alive "$DIR/$1.pid" ;;
    nginx) is_alive "$DIR/nginx/nginx.pid" ;;
  esac
}

# Ends a process and waits until it is gone.
end() {
  kill -TERM "$(head -n 1 "$1")"
  while is_alive "$1"; do sleep 0.1; done
}

start() {
  if is_running "$1"; then return; fi
  case $1 in
    postgres)
      [ -d "$DIR/postgres" ] || make_postgres
      start_postgres
      [ -s "$DIR/postgres.password" ] || make_database
      ;;
    swift) start_swift ;;
    settings) write_settings ;;
    node*)
      N=${1#node}
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

stop() {
  if ! is_running "$1"; then return; fi
  case $1 in
    postgres) as_postgres "$BIN/pg_ctl" -D "$DIR/postgres" -m fast -w stop ;;
    swift) node scripts/swift.mjs stop "$DIR/swift" ;;
    settings) ;;
    node*)
      N=${1#node}
      # The last one stays in its list: nginx does not start without any.
      if is_running nginx && [ "$(wc -l <"$DIR/nginx/nodes.conf")" -gt 1 ]; then leave_nginx; fi
      end "$DIR/$1.pid"
      ;;
    nginx) end "$DIR/nginx/nginx.pid" ;;
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
parts=${*:-postgres swift settings node1 node2 nginx}
if [ "$command" = start ] && ! has_packages; then install_packages; fi
make_folder
case $command in
  start) for part in $parts; do start "$part"; done ;;
  stop) for part in $(echo "$parts" | tr ' ' '\n' | tac); do stop "$part"; done ;;
  restart) for part in $parts; do stop "$part" && start "$part"; done ;;
  status)
    for part in $parts; do
      if is_running "$part"; then echo "$part: yes"; else echo "$part: no"; fi
    done
    ;;
  *) usage ;;
esac
