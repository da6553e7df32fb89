/** The suites that load the machine by themselves: they run one test file at a time, after all others. */
const ALONE = ['security', 'journeys', 'chaos']
const TOGETHER = ['unit', 'guides', 'libs', 'services', 'gateway']
/** Services under test run timers and servers of their own: more at once would measure the machine, not the code. */
const WORKERS = '--maxWorkers=2'

export interface Phase {
  name: string
  args: string[]
}

/** The runs of jest that make up the suite, narrowed to the projects that the caller's own arguments select. */
export function testPlan(args: readonly string[]): Phase[] {
  const { selected, rest } = takeSelectedProjects(args)
  const phases = [
    { name: 'together', projects: TOGETHER, options: [WORKERS] },
    { name: 'alone', projects: ALONE, options: ['--runInBand'] },
  ]
  return phases
    .map(({ name, projects, options }) => {
      const wanted = projects.filter((project) => !selected || selected.includes(project))
      return { name, wanted, args: ['--selectProjects', ...wanted, ...options, '--passWithNoTests', ...rest] }
    })
    .filter(({ wanted }) => wanted.length > 0)
    .map(({ name, args }) => ({ name, args }))
}

/** `--selectProjects a b` takes every word up to the next option. */
function takeSelectedProjects(args: readonly string[]): { selected?: string[]; rest: string[] } {
  const at = args.indexOf('--selectProjects')
  if (at < 0) return { rest: [...args] }
  const after = args.slice(at + 1)
  const end = after.findIndex((word) => word.startsWith('-'))
  const selected = end < 0 ? after : after.slice(0, end)
  return { selected, rest: [...args.slice(0, at), ...after.slice(selected.length)] }
}
