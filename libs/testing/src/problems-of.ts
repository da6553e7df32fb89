/** All that is wrong with an environment for a configuration; nothing where it is taken. */
export function problemsOf(
  readConfig: (environment: NodeJS.ProcessEnv) => unknown,
  environment: NodeJS.ProcessEnv,
): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    return (error as { problems: readonly string[] }).problems
  }
  return []
}
