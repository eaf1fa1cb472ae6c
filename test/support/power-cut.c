/*
 * Goes before libc in a process (LD_PRELOAD) and writes down what SQLite does to its file and its write-ahead log: each write
 * and truncation, and each sync that has ended well. From the record, test/support/power-cut.ts makes what a loss of power would
 * have left. FAULT_JOURNAL names the record. FAULT_ORDER names a file that says, once it exists, what happens: a number ends
 * the process before that many further steps, `eio` makes every sync fail as a broken disk does.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, SYNC = 2, TRUNCATE = 3 };
enum { descriptors = 65536 };

static unsigned char file_of[descriptors]; /* 1: the database, 2: its write-ahead log */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int journal = -1;
static long steps = -1;
static int fails = 0;

static void look_at_order(void) {
  char text[32] = {0};
  const char *path = getenv("FAULT_ORDER");
  if (steps >= 0 || fails || path == NULL) return;
  int order = open(path, O_RDONLY | O_CLOEXEC);
  if (order < 0) return;
  ssize_t length = read(order, text, sizeof text - 1);
  close(order);
  if (length <= 0) return;
  if (strncmp(text, "eio", 3) == 0) fails = 1;
  else steps = atol(text);
}

static void step(void) {
  look_at_order();
  if (steps > 0 && --steps == 0) kill(getpid(), SIGKILL);
}

static void note(uint32_t kind, int fd, uint64_t offset, const void *data, uint64_t length) {
  uint64_t head[4] = {kind, file_of[fd], offset, length};
  struct iovec parts[2] = {{head, sizeof head}, {(void *)data, kind == WRITE ? length : 0}};
  if (journal < 0) journal = open(getenv("FAULT_JOURNAL"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (journal < 0 || writev(journal, parts, 2) < 0) abort();
}

static int is_watched(int fd) { return fd >= 0 && fd < descriptors && file_of[fd] != 0; }

static int ends_with(const char *path, const char *end) {
  size_t length = strlen(path), tail = strlen(end);
  return length >= tail && strcmp(path + length - tail, end) == 0;
}

#define REAL(name) (__typeof__(&name))dlsym(RTLD_NEXT, #name)

int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = va_arg(more, mode_t);
  va_end(more);
  int fd = (REAL(open64))(path, flags, mode);
  if (fd >= 0 && fd < descriptors && getenv("FAULT_JOURNAL") != NULL)
    file_of[fd] = ends_with(path, "/earshot.db") ? 1 : ends_with(path, "/earshot.db-wal") ? 2 : 0;
  return fd;
}

int close(int fd) {
  if (fd >= 0 && fd < descriptors) file_of[fd] = 0;
  return (REAL(close))(fd);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  if (!is_watched(fd)) return (REAL(pwrite64))(fd, data, length, offset);
  pthread_mutex_lock(&lock);
  step();
  ssize_t written = (REAL(pwrite64))(fd, data, length, offset);
  if (written > 0) note(WRITE, fd, offset, data, written);
  pthread_mutex_unlock(&lock);
  return written;
}

int ftruncate64(int fd, off64_t length) {
  if (!is_watched(fd)) return (REAL(ftruncate64))(fd, length);
  pthread_mutex_lock(&lock);
  step();
  int result = (REAL(ftruncate64))(fd, length);
  if (result == 0) note(TRUNCATE, fd, 0, NULL, length);
  pthread_mutex_unlock(&lock);
  return result;
}

static int synced(int fd, int (*real)(int)) {
  if (!is_watched(fd)) return real(fd);
  pthread_mutex_lock(&lock);
  step();
  int result = fails ? -1 : real(fd);
  if (fails) errno = EIO;
  if (result == 0) note(SYNC, fd, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int fsync(int fd) { return synced(fd, REAL(fsync)); }
int fdatasync(int fd) { return synced(fd, REAL(fdatasync)); }
