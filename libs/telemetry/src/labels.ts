/** Few values per label and never an id: each combination is a series of its own. */
export type Labels = Readonly<Record<string, string | number | boolean>>
