import { PASSED_ON, serviceOf } from '@svc/contracts/calls'

const NONE: ReadonlySet<string> = new Set()

/** What may be called as the person who called `root`, as `<who calls> <rpc>`: a service that was reached passes on further. */
function reachOf(root: string): ReadonlySet<string> {
  const found = new Set<string>()
  const passing = [root]
  for (let rpc = passing.pop(); rpc !== undefined; rpc = passing.pop()) {
    for (const next of PASSED_ON[rpc] ?? []) {
      const step = `${serviceOf(rpc)} ${next}`
      if (found.has(step)) continue
      found.add(step)
      passing.push(next)
    }
  }
  return found
}

const REACH = new Map(Object.keys(PASSED_ON).map((root) => [root, reachOf(root)]))
const AUDIENCES = new Map(
  [...REACH].map(([root, steps]) => [
    root,
    [...new Set([...steps].map((step) => serviceOf(step.split(' ')[1] ?? '')))],
  ]),
)

/** The services to which a person's call of this rpc may be passed on. */
export const audiencesBeyond = (root: string): readonly string[] => AUDIENCES.get(root) ?? []

/** Whether process `from` may call this rpc as the person who called `root`. */
export const mayPassOn = (root: string, from: string, rpc: string): boolean =>
  (REACH.get(root) ?? NONE).has(`${from} ${rpc}`)
