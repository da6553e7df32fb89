/** What jest writes with `--json`, as far as it is read here. */
export interface JestResults {
  testResults: readonly FileResult[]
}

export interface FileResult {
  /** The path of the file. */
  name: string
  status: string
  startTime: number
  endTime: number
  /** Why the file failed, all of it. */
  message: string
  assertionResults: ReadonlyArray<{ status: string; fullName: string }>
}

export interface Totals {
  passed: number
  failed: number
  skipped: number
}

export const failedFiles = (runs: ReadonlyArray<JestResults | undefined>): FileResult[] =>
  runs.flatMap((run) => run?.testResults ?? []).filter(({ status }) => status === 'failed')

/**
 * Adds up runs of jest; a run without results, and a file that could not run, count as a failure. Of a file that ran twice
 * the later run counts.
 */
export function totalsOf(runs: ReadonlyArray<JestResults | undefined>): Totals {
  const files = new Map(runs.flatMap((run) => run?.testResults ?? []).map((file) => [file.name, file]))
  const totals = { passed: 0, failed: runs.filter((run) => run === undefined).length, skipped: 0 }
  for (const { status, assertionResults } of files.values()) {
    const failed = assertionResults.filter((test) => test.status === 'failed').length
    const passed = assertionResults.filter((test) => test.status === 'passed').length
    totals.passed += passed
    totals.failed += status === 'failed' ? Math.max(failed, 1) : failed
    totals.skipped += assertionResults.length - failed - passed
  }
  return totals
}

export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
