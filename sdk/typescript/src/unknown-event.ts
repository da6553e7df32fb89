declare enum Later {
  name = 'a name that came later',
}

/**
 * The type of an event's name that this version does not know: a string like the others, whatever it is. Events of new
 * names may come at any time; leave them out. It is no plain `string`, for then no comparison would tell the known ones apart.
 */
export type UnknownEventName = Later
