const CODES = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const
export type Colour = keyof typeof CODES

/** What a command prints: lines for people, or one JSON value a line for programs. */
export class Output {
  readonly isJson: boolean
  readonly #isColoured: boolean

  constructor(isJson: boolean, env: NodeJS.ProcessEnv) {
    this.isJson = isJson
    this.#isColoured = process.stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  }

  /** The answer: as JSON where that was asked for, as these lines otherwise. */
  show(value: unknown, ...lines: string[]): void {
    process.stdout.write(this.isJson ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''))
  }

  /** Something on the way: never among what a program reads. */
  note(line: string): void {
    process.stderr.write(`${line}\n`)
  }

  paint(colour: Colour, text: string): string {
    return this.#isColoured ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text
  }

  /** Columns as wide as what stands in them; the text of others is made harmless for a terminal. */
  table(rows: ReadonlyArray<readonly string[]>): string[] {
    const clean = rows.map((row) => row.map(plain))
    const widths = (clean[0] ?? []).map((_, column) => Math.max(...clean.map((row) => row[column]?.length ?? 0)))
    return clean.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

/** Without control characters: a name in an order must not move the cursor of whoever reads it. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
export const plain = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
