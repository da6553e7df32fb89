const CODES = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const
export type Colour = keyof typeof CODES

/** What a command prints: lines for people, or one JSON value a line for programs. */
export class Output {
  readonly isJson: boolean
  readonly #isColoured: boolean
  #isWorking = false

  constructor(isJson: boolean, env: NodeJS.ProcessEnv) {
    this.isJson = isJson
    this.#isColoured = process.stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  }

  /** The answer: as JSON where that was asked for, as these lines otherwise. */
  show(value: unknown, ...lines: string[]): void {
    this.working('')
    process.stdout.write(this.isJson ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''))
  }

  /** Something on the way: never among what a program reads. */
  note(line: string): void {
    this.working('')
    process.stderr.write(`${process.stderr.isTTY ? line : line.replaceAll(COLOURED, '')}\n`)
  }

  /** What a long work is at, in one line that the next one replaces; only where somebody looks. */
  working(line: string): void {
    if (process.stderr.isTTY && (line !== '' || this.#isWorking)) process.stderr.write(`\r\u001b[K${line}`)
    this.#isWorking = line !== ''
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

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const COLOURED = /\u001b\[\d+m/g

/** Without control characters: a name in an order must not move the cursor of whoever reads it. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
export const plain = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
