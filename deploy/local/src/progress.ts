const startedAt = Date.now()

/** One line on what is being done, with the seconds since the start, on standard error. */
export function progress(line: string): void {
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(5)
  process.stderr.write(`• ${seconds} s  ${line}\n`)
}
