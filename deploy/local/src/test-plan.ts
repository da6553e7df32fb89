import { availableParallelism } from 'node:os'

/**
 * Runs of jest, one after another. Most files of the first wait more than they compute, so that one more worker than there
 * are cores of a small machine finds work; on a large one the servers that they share need the other half.
 */
const PHASES = [
  {
    name: 'together',
    projects: ['unit', 'guides', 'libs', 'services', 'gateway'],
    options: [`--maxWorkers=${Math.max(3, Math.floor(availableParallelism() / 2))}`],
  },
  // These load the machine by themselves, each with the meshes of its own: one file at a time.
  ...['security', 'journeys', 'chaos'].map((name) => ({ name, projects: [name], options: ['--runInBand'] })),
]

/** The suites that need no server. */
const SERVERLESS = ['unit', 'guides']

export interface Phase {
  name: string
  needsServers: boolean
  args: string[]
}

/** The runs of jest that make up the suite, narrowed to the projects that the caller's own arguments select. */
export function testPlan(args: readonly string[]): Phase[] {
  const { selected, rest } = takeSelectedProjects(args)
  return PHASES.map(({ name, projects, options }) => {
    const wanted = projects.filter((project) => !selected || selected.includes(project))
    return {
      name,
      wanted,
      needsServers: wanted.some((project) => !SERVERLESS.includes(project)),
      args: ['--selectProjects', ...wanted, ...options, '--passWithNoTests', ...rest],
    }
  })
    .filter(({ wanted }) => wanted.length > 0)
    .map(({ name, needsServers, args }) => ({ name, needsServers, args }))
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
