/** What jest writes with `--json`, as far as it is read here. */
export interface JestResults {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  /** Files that failed before their tests could run. */
  numRuntimeErrorTestSuites: number
  testResults: ReadonlyArray<{ name: string; startTime: number; endTime: number; assertionResults: readonly unknown[] }>
}

export interface Totals {
  passed: number
  failed: number
  skipped: number
}

/** Adds up runs of jest; a run without results, and a file that could not run, count as a failure. */
export function totalsOf(runs: ReadonlyArray<JestResults | undefined>): Totals {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const run of runs) {
    sum.passed += run?.numPassedTests ?? 0
    sum.failed += run ? run.numFailedTests + run.numRuntimeErrorTestSuites : 1
    sum.skipped += run ? run.numPendingTests + run.numTodoTests : 0
  }
  return sum
}

export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
