import { readdir } from 'node:fs/promises'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { metrics } from './metrics.ts'

const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
const RESOLUTION_MS = 20

/** Shows what every process has: CPU, memory, file handles, its event loop and its version; until the returned function is called. */
export function observeProcess(): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let seen = performance.eventLoopUtilization()
  metrics.total('process_cpu_seconds', 'CPU time of this process, of user and system.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / MICROSECONDS
  })
  const gauges = [
    metrics.gauge('process_start_time_seconds', 'When this process began, since 1970.', () =>
      Math.round(performance.timeOrigin / 1_000),
    ),
    metrics.gauge('process_resident_memory_bytes', 'Memory of this process.', () => process.memoryUsage.rss()),
    metrics.gauge(
      'process_open_fds',
      'File handles that are open, sockets among them.',
      async () => (await readdir('/proc/self/fd')).length,
    ),
    metrics.gauge('nodejs_heap_used_bytes', 'Heap in use.', () => getHeapStatistics().used_heap_size),
    metrics.gauge(
      'nodejs_heap_limit_bytes',
      'Heap at which the process ends.',
      () => getHeapStatistics().heap_size_limit,
    ),
    metrics.gauge(
      'nodejs_eventloop_utilization_ratio',
      'Share of the time since the last scrape in which it was busy.',
      () => {
        const now = performance.eventLoopUtilization()
        const { utilization } = performance.eventLoopUtilization(now, seen)
        seen = now
        return utilization
      },
    ),
    metrics.gauge('nodejs_eventloop_delay_p99_seconds', 'By how much timers come late, since the last scrape.', () => {
      // The time between two looks is measured, of which the resolution is meant.
      const late = delay.percentile(99) / NANOSECONDS - RESOLUTION_MS / 1_000
      delay.reset()
      return Math.max(0, late)
    }),
    metrics.gauge('build_info', 'The version that runs, and the commit it was built from.', () => [
      {
        value: 1,
        labels: { version: process.env['BUILD_VERSION'] || 'source', commit: process.env['BUILD_COMMIT'] || 'unknown' },
      },
    ]),
  ]
  return () => {
    delay.disable()
    for (const end of gauges) end()
  }
}
