/** The static token, as an operator. */
export const STATIC = 'static'

/** Commands that make operators, for whoever runs the installation: two that one of them made are two people. */
const COMMANDS: ReadonlySet<string> = new Set(['create-operator', 'seed'])

/** An operator and all who made it, directly or through others. */
export interface Approver {
  id: string
  makers: ReadonlySet<string>
  /** Of them those who once knew its password, or that of who made it so: they can be the operator. */
  holders: ReadonlySet<string>
}

/**
 * Whether they are not one person: neither made the other, and nobody has had the passwords of both. The static token and all
 * that it made count as one.
 */
export function areTwoPeople(first: Approver, second: Approver): boolean {
  if (first.id === second.id || first.makers.has(second.id) || second.makers.has(first.id)) return false
  if ([...first.holders].some((id) => !COMMANDS.has(id) && second.holders.has(id))) return false
  return !(isOfStatic(first) && isOfStatic(second))
}

const isOfStatic = ({ id, makers }: Approver): boolean => id === STATIC || makers.has(STATIC)
