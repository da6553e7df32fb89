import { expect, test } from '@jest/globals'
import { withoutLiterals } from './without-literals.ts'

test.each([
  ["insert into users (email) values ('a@b.c', 'it''s', 12)", 'insert into users (email) values (?, ?, ?)'],
  ["select E'a\\'canary' , x'1f'", 'select ? , x?'],
  ["select e'\\\\', 'canary'", 'select ?, ?'],
  ['select $$canary$$, $tag$canary $$ canary$tag$, $1, $22', 'select ?, ?, $1, $22'],
  ["select 'a canary that was cut of", 'select ?'],
  ['select 1 -- canary\nfrom t1 /* canary */ limit 2.5e3', 'select ? ?\nfrom t1 ? limit ?'],
  [`select "a1", c2, 'canary' from "t's 3"`, `select "a1", c2, ? from "t's 3"`],
])('%s loses its values', (sql, without) => expect(withoutLiterals(sql)).toBe(without))
