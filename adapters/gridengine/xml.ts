import { XMLParser } from 'fast-xml-parser';
import type { EpochSeconds } from '../../src/domain/clock.ts';

/** An element of an answer: its children by name, its attributes by `@` and name. */
export type Element = { readonly [name: string]: unknown };

/** Elements of which there may be several. */
const LISTS = new Set([
  'job_list',
  'hard_request',
  'hard_req_queue',
  'element',
  'host',
  'queue',
  'queuevalue',
  'resourcevalue',
  'ulong_sublist',
  'ar_summary',
  'granted_slots',
]);

const reader = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  // Paths of elements, which nothing here asks for, would double the time.
  jPath: false,
  isArray: (name) => LISTS.has(name),
});

/** Reads a document. @throws Error when the text is no whole document with one of these roots */
export function readXml(xml: string, ...roots: readonly string[]): Element {
  const [, end = ''] = /<\/(\w+)>\s*$/.exec(xml) ?? [];
  if (!roots.includes(end)) throw new Error(`the answer is no whole <${roots.join('> or <')}> document`);
  return reader.parse(xml);
}

/** A moment such as `2026-11-20T18:12:17`, in UTC, sometimes with a fraction. */
export function momentOf(text: string): EpochSeconds | null {
  const milliseconds = Date.parse(`${text.replace(' ', 'T')}Z`);
  return Number.isNaN(milliseconds) ? null : milliseconds / 1000;
}

/** A child there is one of. @throws Error when there is none */
export function elementOf(parent: Element, name: string): Element {
  const child = parent[name];
  if (child === '') return {};
  if (typeof child === 'object' && child !== null) return child as Element;
  throw new Error(`no <${name}> in the answer`);
}

/** Children of which there may be several. */
export function listOf(parent: unknown, name: string): readonly Element[] {
  const children = typeof parent === 'object' && parent !== null ? (parent as Element)[name] : undefined;
  return Array.isArray(children)
    ? children.map((child) => (typeof child === 'object' ? child : { '#text': child }))
    : [];
}

/** What stands in the children of that name. */
export function textsOf(parent: Element, name: string): string[] {
  return listOf(parent, name).map((child) => textOf(child, '#text'));
}

/** What stands in a child, or in an attribute; empty where there is none. */
export function textOf(parent: Element, name: string): string {
  const value = parent[name];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
