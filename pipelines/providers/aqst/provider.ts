import { createProvider } from '../provider.ts';

/**
 * France's authority for the quality of service in transport. It publishes routes with more than a few flights a month.
 */
export const AQST = createProvider({
  name: 'aqst',
  title: 'Autorité de la qualité de service dans les transports',
  countries: ['FR'],
  attribution: 'AQST (France), ponctualité des transports aériens',
  terms:
    'The terms for passing on the figures are not known, so the figures do not ship with the code.',
  url: 'https://www.qualitetransports.gouv.fr/',
  folder: import.meta.dirname,
  forms: [
    {
      name: 'aqst_airlines',
      kind: 'route_hours',
      required: [
        'mois',
        'année',
        'nbre mensuel de vols programmés par la cie sur la relation',
        'nbre mensuel de vols assurés par la cie sur la relation',
        'nbre mensuel de vols annulés par la cie sur la relation',
        "part (%) des vols exploités par la cie en retard à l'arrivée sur la relation (mois)",
        'code cie',
        'code aero départ',
        'code aero destination',
      ],
      optional: [
        "retard mensuel moyen à l'arrivée des vols exploités par la cie sur la relation (min)",
      ],
      usesCodes: true,
      hasExclusions: true,
      delayBasis: 'arrival',
      calendar: 'year_month',
    },
  ],
});
