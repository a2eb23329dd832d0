/* Preloaded into a referee: a steady clock that stands still while a processor does.
 * The host of a virtual machine may keep its processors from running for tenths of a
 * second, which loses a fast game for any engine. With this clock a move is late only if
 * the engine is to blame.
 *
 * On each processor that the referee may use, a thread that goes before everything else
 * wakes up each millisecond. If it is late, nothing ran there meanwhile, and that is
 * taken off the clock: when it wakes up at last, or before by whoever asks for the time,
 * as after a second Linux lets ordinary threads run first. With one processor the clock
 * is exact, with several it is lenient: their stalls add up. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const int64_t SECOND = 1000000000, MILLISECOND = 1000000;

/* When each of the threads is to wake up; never where there is none. */
static _Atomic int64_t due[CPU_SETSIZE];
static _Atomic int64_t lost, stalls, longest;

static int64_t nanoseconds(struct timespec time) { return time.tv_sec * SECOND + time.tv_nsec; }

static struct timespec timespec(int64_t time) {
    return (struct timespec){.tv_sec = time / SECOND, .tv_nsec = time % SECOND};
}

static int64_t wall(void) {
    struct timespec time;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
    return nanoseconds(time);
}

/* How long a processor has been standing still. */
static int64_t stall(int processor, int64_t now) {
    int64_t late = now - due[processor];
    return late > MILLISECOND ? late : 0;
}

/* Never goes back: one processor may look at it while another one stands still. */
static int64_t unstolen(void) {
    static _Atomic int64_t latest;
    int64_t now = wall(), standing = 0;
    for (int processor = 0; processor < CPU_SETSIZE; processor++)
        standing += stall(processor, now);
    /* Read last, written first: a stall may be taken off twice for a moment, in which the
     * clock stands still, but it is never left in. */
    now -= standing + lost;
    int64_t seen = latest;
    while (seen < now && !atomic_compare_exchange_weak(&latest, &seen, now))
        ;
    return seen < now ? now : seen;
}

static void *witness(void *number) {
    int processor = (int)(intptr_t)number;
    for (;;) {
        struct timespec time = timespec(due[processor]);
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0)
            ;
        int64_t now = wall(), late = stall(processor, now);
        if (late > 0) {
            lost += late;
            stalls++;
            if (late > longest)
                longest = late;
        }
        due[processor] = now + MILLISECOND;
    }
    return NULL;
}

__attribute__((constructor)) static void begin(void) {
    /* The engines that the referee starts go by the ordinary clock. */
    unsetenv("LD_PRELOAD");
    cpu_set_t ours;
    sched_getaffinity(0, sizeof ours, &ours);
    for (int processor = 0; processor < CPU_SETSIZE; processor++) {
        due[processor] = INT64_MAX;
        if (!CPU_ISSET(processor, &ours))
            continue;
        due[processor] = wall() + MILLISECOND;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        struct sched_param first = {.sched_priority = sched_get_priority_max(SCHED_FIFO)};
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setaffinity_np(&attributes, sizeof one, &one);
        pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
        pthread_attr_setschedparam(&attributes, &first);
        pthread_t thread;
        if (pthread_create(&thread, &attributes, witness, (void *)(intptr_t)processor) != 0) {
            fputs("only root may go before everything else\n", stderr);
            _exit(1);
        }
    }
}

__attribute__((destructor)) static void end(void) {
    printf("Stalls left out: %lld ms in %lld, the longest %lld ms\n",
           (long long)(lost / MILLISECOND), (long long)stalls, (long long)(longest / MILLISECOND));
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (clock != CLOCK_MONOTONIC)
        return syscall(SYS_clock_gettime, clock, time);
    *time = timespec(unstolen());
    return 0;
}

/* Waits by the same clock. */
int poll(struct pollfd *files, nfds_t count, int milliseconds) {
    int64_t end = unstolen() + milliseconds * MILLISECOND;
    for (;;) {
        int ready = syscall(SYS_poll, files, count, milliseconds);
        int64_t left = end - unstolen();
        if (ready != 0 || milliseconds <= 0 || left <= 0)
            return ready;
        milliseconds = (left + MILLISECOND - 1) / MILLISECOND;
    }
}
