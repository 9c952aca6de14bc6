# Runs a program that sees only its own files, the system files that it needs, and one folder, mounted as /job. spawn-isolated.ts starts
# this script in new user, mount, network and process namespaces, as root of these. It has no rights on the host.
# Usage: isolate.sh FOLDER PROGRAM_TREE COMMAND…
set -e
work=$1; tree=$2; shift 2
root=$work/root
mkdir -p "$root"
mount -t tmpfs -o size=1m,mode=755 tmpfs "$root"
mkdir -p "$root/job" "$root/dev" "$root/etc" "$root/old" "$root/proc"
ln -s job "$root/tmp"
for path in /usr /bin /sbin /lib /lib32 /lib64 /etc/alternatives /etc/fonts /etc/libreoffice /var/cache/fontconfig "$tree"; do
  [ -e "$root$path" ] && continue
  if [ -L "$path" ]; then cp -P "$path" "$root$path"
  elif [ -d "$path" ]; then mkdir -p "$root$path"; mount --rbind "$path" "$root$path"; fi
done
for path in /etc/ld.so.cache /dev/null /dev/zero /dev/random /dev/urandom; do
  [ -e "$path" ] || continue
  : > "$root$path"; mount --bind "$path" "$root$path"
done
mount --bind "$work" "$root/job"
mount --rbind /proc "$root/proc" # umount reads it
# From here on, the files of the host are out of reach.
cd "$root"
pivot_root . old
umount -l /old
umount -l /proc
: > /proc/version # LibreOffice refuses to start without one
cd /job
exec setpriv --no-new-privs --bounding-set -all --inh-caps -all -- "$@"
