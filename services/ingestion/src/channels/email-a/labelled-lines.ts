/** Longer texts are cut: an order is told in the beginning. */
const MAX_TEXT = 131_072
const MAX_LINES = 2_000
/** Lines that stand below a label of their own. */
const MAX_BELOW = 6

/** What each label is called in an order, and how people write it. */
const LABELS = {
  dropoff_address:
    'address | deliver to | delivery address | delivery location | drop off | drop off address | dropoff | dropoff address | ship to | shipping address',
  customer_phone:
    'customer phone | customer phone number | mobile | mobile number | phone | phone no | phone number | recipient phone | recipient phone number | tel | telephone | whatsapp',
  customer_name: 'customer | customer name | name | receiver | receiver name | recipient | recipient name',
  pickup_address: 'collect from | pick up | pick up address | pickup | pickup address',
  scheduled_pickup_at: 'collect at | pick up at | pick up time | pickup at | pickup time',
  delivery_window_start: 'deliver from | delivery from | deliver after | delivery window start',
  delivery_window_end: 'deliver before | deliver by | deliver until | delivery by | delivery window end',
  notes: 'comment | comments | delivery instructions | delivery notes | instructions | note | notes',
  items: 'item | items | order items | products',
  cod_amount_minor: 'amount to collect | cash on delivery | cod | cod amount | pay on delivery',
  weight_kg: 'package weight | weight | weight kg',
} as const

/** What a line of a mail may tell. */
export type LineField = keyof typeof LABELS
/** Of each field what was told first, line by line. */
export type ToldLines = Partial<Record<LineField, readonly string[]>>

const FIELDS: ReadonlyMap<string, LineField> = new Map(
  Object.entries(LABELS).flatMap(([field, labels]) =>
    labels.split(' | ').map((label) => [label, field as LineField] as [string, LineField]),
  ),
)

/** A label stands before the first of these. */
const MARK = /[:：=\t]/
const MAX_LABEL = 40

/**
 * What labelled lines tell: `Phone: 0803 123 4567`, or the label in a line of its own with its value below, up to an empty line.
 * Of a label that stands there twice the first counts, as the newest of a conversation stands above.
 */
export function labelledLines(text: string): ToldLines {
  const lines = text
    .slice(0, MAX_TEXT)
    .split(/\r\n|\r|\n/, MAX_LINES)
    .map(bare)
  const told: ToldLines = {}
  for (let at = 0; at < lines.length; at += 1) {
    const found = labelled(lines[at]!)
    if (!found || told[found.field] !== undefined) continue
    const values = found.value === '' ? below(lines, at + 1) : [found.value]
    if (values.length > 0) told[found.field] = values
  }
  return told
}

/** Without what quotes, lists and emphasis put around it. */
const bare = (line: string): string => line.replace(/^[\s>*•·_#|-]+/, '').trimEnd()

function labelled(line: string): { field: LineField; value: string } | null {
  const mark = MARK.exec(line.slice(0, MAX_LABEL + 1))
  if (!mark) return null
  const label = line
    .slice(0, mark.index)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const field = FIELDS.get(label)
  return field === undefined
    ? null
    : {
        field,
        value: line
          .slice(mark.index + 1)
          .replace(/^[\s*_:|]+/, '')
          // From the first of a run alone: a long one that is not at the end is read once.
          .replace(/(?<![\s*_|])[\s*_|]+$/, ''),
      }
}

function below(lines: readonly string[], from: number): string[] {
  let at = from
  while (at < lines.length && lines[at] === '') at += 1
  const found: string[] = []
  for (; at < lines.length && found.length < MAX_BELOW; at += 1) {
    const line = lines[at]!
    if (line === '' || labelled(line)) break
    found.push(line)
  }
  return found
}
