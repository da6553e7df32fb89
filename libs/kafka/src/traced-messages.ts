import { context, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import type { Message } from 'kafkajs'

/**
 * Messages of many traces in one produce request, each with its producer span in its own trace: the kafkajs
 * instrumentation starts the spans in `messages.map`, below whatever context is active there.
 */
export class TracedMessages extends Array<Message> {
  static override get [Symbol.species]() {
    return Array
  }

  override map<U>(toItem: (message: Message, index: number, all: Message[]) => U): U[] {
    const items: U[] = []
    this.forEach((message, index) => {
      const own = propagation.extract(ROOT_CONTEXT, message.headers ?? {})
      items.push(context.with(own, () => toItem(message, index, this)))
    })
    return items
  }
}
