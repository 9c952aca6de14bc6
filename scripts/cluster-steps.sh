# The steps of scripts/cluster.sh. docs/operating/cluster.md and cluster-running.md explain them; their shell blocks are these functions.

install_packages() {
  apt-get update
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql nginx curl procps \
    swift-proxy swift-account swift-container swift-object memcached
}

# PostgreSQL does not run as root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

random_hex() {
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
  password=$(random_hex)
  as_postgres psql -h "$DIR/postgres" -p $((PORT + 50)) -U postgres -v ON_ERROR_STOP=1 <<END
create role neptune login password '$password';
create database neptune owner neptune;
END
  printf %s "$password" >"$DIR/postgres.password"
}

start_swift() {
  S3_PORT=$((PORT + 51)) node scripts/object-store.mjs start "$DIR/swift" >"$DIR/swift.env"
}

write_settings() {
  cat "$DIR/swift.env" - >"$DIR/neptune.env" <<END
S3_BUCKET=neptune
DATABASE_URL=postgres://neptune:$(cat "$DIR/postgres.password")@127.0.0.1:$((PORT + 50))/neptune
SECRET_KEY=$(random_hex)
PUBLIC_URL=http://localhost:$PORT
TRUST_PROXY=127.0.0.1
END
}

is_node_running() {
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
  while is_node_running && ! curl -fs "http://127.0.0.1:$((PORT + N))/readyz" >/dev/null; do sleep 0.2; done
  is_node_running || { tail -n 3 "$DIR/node$N.log" && false; }
}

add_to_nginx() {
  mkdir -p "$DIR/nginx"
  line="server 127.0.0.1:$((PORT + N)) max_fails=3 fail_timeout=5s;"
  grep -qsxF "$line" "$DIR/nginx/nodes.conf" || echo "$line" >>"$DIR/nginx/nodes.conf"
}

reload_nginx() {
  nginx -p "$DIR/nginx" -e error.log -c nginx.conf -s reload
}

remove_from_nginx() {
  old_pids=$(pgrep -d , -P "$(cat "$DIR/nginx/nginx.pid")")
  sed -i "/:$((PORT + N)) /d" "$DIR/nginx/nodes.conf"
  nginx -p "$DIR/nginx" -e error.log -c nginx.conf -s reload
  for _ in $(seq 600); do
    ps -p "$old_pids" >/dev/null || break
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

  limit_conn_zone \$binary_remote_addr zone=per_address:10m;

  upstream neptune {
    include nodes.conf;
    keepalive 32;
    keepalive_timeout 5s;
  }

  server {
    listen 127.0.0.1:$PORT;
    limit_conn per_address 100;
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
  node scripts/object-store.mjs stop "$DIR/swift"
}

stop_postgres() {
  as_postgres "$BIN/pg_ctl" -D "$DIR/postgres" -m fast -w stop
}
