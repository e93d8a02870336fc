import { codeBlock } from '../code-tabs.ts';
import { factList } from '../facts.ts';
import { figuresTable } from '../figures-table.ts';
import { day, fileSize, figure, month } from '../format.ts';
import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import type { DataPageData, OfferedSnapshot } from './snapshot-data.ts';
import { readingExamples } from './reading-examples.ts';

/** The page of the snapshots: all forecasts of a month as files. */
export const dataPage: Page<DataPageData> = {
  path: '/data',
  source: () => '/explorer/data',
  title: () => 'All forecasts as files',
  summary: () => 'The forecasts of a month for every airline, route and hour, as signed files.',
  view,
};

function view({ snapshots }: DataPageData, frame: Frame) {
  const [newest] = snapshots;
  return html`<h1>All forecasts as files</h1>
    <p class="lead">
      Once a month, Headwind saves its forecasts in digitally signed files. They cover every current
      airline, on every route, at each departure hour. Downloads need no key.
    </p>
    ${
      newest
        ? [
            ...snapshots.map((one) => snapshotSection(one, frame)),
            readingSection(newest, frame),
            columnTable(newest),
            proofSection(),
          ]
        : noSnapshot()
    }`;
}

function noSnapshot() {
  return html`<p>There are no files yet. Headwind writes them on the 2nd of each month.</p>
    <details>
      <summary>For administrators of this server</summary>
      <p>To write the files now, run <code>make snapshot</code>.</p>
    </details>`;
}

function snapshotSection(snapshot: OfferedSnapshot, { locale }: Frame) {
  const { version, damaged, files, providers, left_out: leftOut } = snapshot;
  return html`<section aria-labelledby=${version}>
    <h2 id=${version}>${month(snapshot.month, locale)}</h2>
    ${factList([
      ['Rows', figure(snapshot.rows, locale)],
      ['Columns', figure(snapshot.columns.length, locale)],
      ['Written', day(snapshot.created_at.slice(0, 10), locale)],
      ['Score store', html`<code class="hash">${snapshot.store_version}</code>`],
      ['Model', html`<code class="hash">${snapshot.model_version ?? 'none'}</code>`],
    ])}
    ${figuresTable(
      `Files of ${month(snapshot.month, locale)}`,
      ['File', 'Size', 'SHA-256'],
      files.map(({ name, address, bytes, sha256 }) => [
        html`<a href=${address} download>${name}</a>`,
        fileSize(bytes, locale),
        html`<code>${sha256}</code>`,
      ]),
    )}
    ${
      damaged.length > 0 &&
      html`<p class="note">
        Not offered, because missing or damaged: ${damaged.join(', ')}. The operator can write a new
        snapshot with <code>make snapshot</code>.
      </p>`
    }
    <h3>Terms of ${month(snapshot.month, locale)}</h3>
    ${factList(
      providers.map(({ title, attribution, terms }) => [title, sentences(attribution, terms)]),
    )}
    ${
      leftOut.length > 0 &&
      html`<p class="note">
        Left out, because the terms do not allow passing the figures on:
        ${' '}${leftOut.map(({ title }) => title).join(', ')}.
      </p>`
    }
  </section>`;
}

/** Joins the source and the terms of a provider. Older manifests may have empty texts. */
function sentences(attribution: string, terms: string): string {
  return [attribution && `Source: ${attribution}.`, terms].filter(Boolean).join(' ');
}

function readingSection(snapshot: OfferedSnapshot, { site }: Frame) {
  return html`<section aria-labelledby="reading">
    <h2 id="reading">Read the files</h2>
    ${readingExamples(snapshot, site).map(({ id, name, code }) => codeBlock(id, name, code))}
    <p>
      Spreadsheet: open <code>forecasts.csv</code> as UTF-8 with commas between the columns. Import
      the columns month and airline as text, because a spreadsheet may turn them into dates or
      numbers.
    </p>
  </section>`;
}

function columnTable({ columns }: OfferedSnapshot) {
  return figuresTable(
    'Columns of both data files',
    ['Column', 'Type', 'Meaning'],
    columns.map(({ name, type, about }) => [html`<code>${name}</code>`, type, about]),
  );
}

function proofSection() {
  return html`<section aria-labelledby="proof">
    <h2 id="proof">Verify the files</h2>
    <p>
      <code>manifest.json</code> has the SHA-256 of both data files. <code>manifest.jws</code> signs
      the manifest, with a key of ${' '}<a href="/.well-known/jwks.json">this service</a>. It is a
      detached signature (JWS, Ed25519), as in signed answers of the API.
    </p>
  </section>`;
}
