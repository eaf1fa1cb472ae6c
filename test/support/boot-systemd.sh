#!/bin/sh
# Boots systemd as the first process of the Debian in the folder $1. For `unshare --pid --fork --mount --cgroup --uts --ipc`: the network
# is that of this machine, and nothing of its kernel can be set from there.
set -e
cd "$1"
mount --make-rprivate /
mount --bind . . && cd "$1"
mount -t proc proc proc
mount --bind proc/sys proc/sys && mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for one in null zero full random urandom tty; do
  : >dev/$one && mount --bind /dev/$one dev/$one
done
mkdir dev/pts dev/shm .old
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx && ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=755 tmpfs run
pivot_root . .old && umount -l /.old && rmdir /.old
mount --make-rshared / # as systemd finds it on a machine: credentials reach a service by that
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system </dev/null
