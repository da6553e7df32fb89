let flush: (() => Promise<void>) | undefined

/** `register` leaves here what has to happen before the process ends. */
export function onShutdown(work: () => Promise<void>): void {
  flush = work
}

/** Sends the spans that are still in memory and stops tracing; does nothing where `register` was not loaded. */
export async function shutdownTelemetry(): Promise<void> {
  const work = flush
  flush = undefined
  await work?.()
}
