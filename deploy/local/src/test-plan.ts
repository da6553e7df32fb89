import { availableParallelism } from 'node:os'

/**
 * Runs of jest: those of a lane come one after another, the lanes beside each other. Most files wait more than they compute,
 * so that a small machine has work for more files than cores. Suites with meshes run a file at a time.
 */
const LANES = [
  [
    {
      name: 'together',
      projects: ['unit', 'guides', 'libs', 'services', 'gateway'],
      options: [`--maxWorkers=${Math.max(4, Math.floor(availableParallelism() / 2))}`],
    },
  ],
  [oneFileAtATime('security'), oneFileAtATime('journeys')],
  [oneFileAtATime('chaos')],
]

function oneFileAtATime(name: string) {
  return { name, projects: [name], options: ['--runInBand'] }
}

/** The suites that need no server. */
const SERVERLESS = ['unit', 'guides']

export interface Phase {
  name: string
  needsServers: boolean
  args: string[]
}

/** The lanes of the suite, narrowed to the projects that the caller's own arguments select. */
export function testPlan(args: readonly string[]): Phase[][] {
  const { selected, rest } = takeSelectedProjects(args)
  return LANES.map((lane) =>
    lane.flatMap(({ name, projects, options }) => {
      const wanted = projects.filter((project) => !selected || selected.includes(project))
      if (wanted.length === 0) return []
      const needsServers = wanted.some((project) => !SERVERLESS.includes(project))
      return [{ name, needsServers, args: ['--selectProjects', ...wanted, ...options, '--passWithNoTests', ...rest] }]
    }),
  ).filter((lane) => lane.length > 0)
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
