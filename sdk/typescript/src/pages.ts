import type { PageShape } from './operation.ts'

/** What asks for the page after another. */
export type Next = Readonly<Record<string, string | number>>

/** A page as all lists have it, beside the list itself. */
export interface Page {
  next_cursor?: string | null
  limit?: number
}

/**
 * A list: awaited it is its first page, iterated it is every item of every page.
 *
 *   const { orders, total } = await dispatch.listOrders({ status: 'pending' })
 *   for await (const order of dispatch.listOrders({ status: 'pending' })) …
 */
export class Pages<Reply extends Page, Item> implements PromiseLike<Reply>, AsyncIterable<Item> {
  readonly #load: (next?: Next) => Promise<Reply>
  readonly #shape: PageShape
  readonly #offset: number
  #first: Promise<Reply> | undefined

  constructor(load: (next?: Next) => Promise<Reply>, shape: PageShape, offset = 0) {
    this.#load = load
    this.#shape = shape
    this.#offset = offset
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a list that is awaited is its first page
  then<A = Reply, B = never>(
    done?: ((page: Reply) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#first ??= this.#load()
    return this.#first.then(done, failed)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page)
  }

  /** Page by page. */
  async *pages(): AsyncGenerator<Reply, void, undefined> {
    let page: Reply = await this.then()
    let offset = this.#offset
    for (;;) {
      yield page
      offset += this.#itemsOf(page).length
      const next = this.#after(page, offset)
      if (!next) return
      page = await this.#load(next)
    }
  }

  #itemsOf(page: Reply): Item[] {
    return (page as Record<string, unknown>)[this.#shape.items] as Item[]
  }

  #after(page: Reply, offset: number): Next | undefined {
    const count = this.#itemsOf(page).length
    if (count === 0) return undefined
    if (this.#shape.by !== 'offset') return page.next_cursor ? { [this.#shape.by]: page.next_cursor } : undefined
    return count >= (page.limit ?? 1) ? { offset } : undefined
  }
}
