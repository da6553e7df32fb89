/** The time that this process spent computing meanwhile, in milliseconds: others on the machine do not lengthen it. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
