const SECRET = /(^|_)(password|secret|token|api_key|authorization|otp)(_hash)?$/i

/** The same JSON with the values of fields named like a secret replaced; text that is no JSON becomes null. */
export function redactedJson(json: string | undefined): string | null {
  if (json === undefined) return null
  try {
    return JSON.stringify(
      JSON.parse(json, (key, value: unknown) => (SECRET.test(key) && value !== null ? '[redacted]' : value)),
    )
  } catch {
    return null
  }
}
