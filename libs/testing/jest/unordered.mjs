import pg from 'pg'

/*
 * Postgres may answer the rows of a statement without ORDER BY in any order, and does so once an update has moved one.
 * Here it always does: they come in reverse, so that neither a test nor the code under test relies on how they lie.
 */

const ANSWERS_ROWS = /^\s*(SELECT|WITH|VALUES|TABLE|INSERT|UPDATE|DELETE)\b/i
const judged = new Map()

/** Whether a statement leaves open in which order its rows come: what stands in brackets orders something else. */
function isUnordered(text) {
  let answer = judged.get(text)
  if (answer === undefined) {
    answer = ANSWERS_ROWS.test(text) && !/\bORDER\s+BY\b/i.test(outsideBrackets(text))
    judged.set(text, answer)
  }
  return answer
}

function outsideBrackets(text) {
  let outside = text.replace(/'(?:[^']|'')*'/g, "''").replace(/--.*$/gm, '')
  for (let before = ''; before !== outside; ) {
    before = outside
    outside = outside.replace(/\([^()]*\)/g, '')
  }
  return outside
}

function turned(result) {
  result?.rows?.reverse()
  return result
}

const query = Reflect.get(pg.Client.prototype, 'query')

pg.Client.prototype.query = function (config, ...more) {
  const text = typeof config === 'string' ? config : config.text
  if (typeof text !== 'string' || typeof config.submit === 'function' || !isUnordered(text))
    return query.call(this, config, ...more)
  const tell = more.at(-1)
  if (typeof tell !== 'function') return query.call(this, config, ...more).then(turned)
  return query.call(this, config, ...more.slice(0, -1), (error, result) => tell(error, turned(result)))
}
