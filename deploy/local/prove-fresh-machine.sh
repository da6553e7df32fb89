#!/usr/bin/env bash
# Proves the two commands of the README on a bare Debian 12: a chroot with Node 20, npm, JDK 17, Maven and git, and nothing
# else. Needs root and debootstrap; takes its Node and npm from this machine.
#
#   deploy/local/prove-fresh-machine.sh [folder of the chroot] [command to run in the clone]
set -euo pipefail

root=${1:-/var/tmp/fresh-machine}
command=${2:-npm test}
clone=$(git rev-parse --show-toplevel)
packages=ca-certificates,openjdk-17-jdk-headless,maven,git,openssl,procps

[ -x "$root/usr/bin/mvn" ] ||
  debootstrap --variant=minbase --include="$packages" bookworm "$root" http://deb.debian.org/debian

node=$(readlink -f "$(command -v node)")
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p "$root/usr/lib/node_modules"
cp "$node" "$root/usr/bin/node"
cp -r "$npm" "$root/usr/lib/node_modules/"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
# Certificates that this machine trusts beside Debian's own.
mkdir -p "$root/usr/local/share/ca-certificates"
cp -r /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/" 2>/dev/null || true
chroot "$root" update-ca-certificates >/dev/null 2>&1

mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/dev" || mount --bind /dev "$root/dev"
mountpoint -q "$root/dev/shm" || mount -t tmpfs tmpfs "$root/dev/shm"
trap 'umount -l "$root/dev/shm" "$root/dev" "$root/proc"' EXIT

rm -rf "$root/srv/clone"
git clone -q "$clone" "$root/srv/clone"
chroot "$root" env -i HOME=/root NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb sh -c "cd /srv/clone && $command"
