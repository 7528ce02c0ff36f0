export const usage = `Usage: ./caravan <command>

  up [--empty]            start everything and stay; --empty: without the demo
  up --containers         start everything with infra/docker-compose.yml, without the demo; needs Docker, or podman as
                          root on Linux
  dev [NAME|WORD...]      start everything for developers: a changed service restarts, a changed screen reloads by
                          itself, and all logs appear in one stream; NAME or WORD: show only matching log lines
  docs [--write]          serve the documentation site and show changes at once; --write: write its generated pages
  pictures [NAME...]      take the pictures of the documentation from the running demo; NAME: only these
  test [--fast] [--full] [--only WORD] [--durable]
                          run every test; --fast: only those without servers; --full: every case of the matrices, such
                          as each screen at each size; --only: tests with WORD in their file's name or title
  test --affected [--since COMMIT]
                          run the tests that this branch can affect, without browser journeys; --since: since a commit
  test [--seed N] [--repeat N] [--stress] ...
                          --seed: use the random values of an earlier run; --repeat: repeat in random order until a test
                          fails; --stress: run beside programs that keep the cores and the disk busy
  test --late SERVICE [--only WORD]
                          run the integration suites while events of this service arrive late at the others
  test --containers [--only WORD]
                          build every image, run the product with them (podman, as root on Linux) and run the
                          integration suites on servers in containers; --only: figures, cluster, control-plane, product
                          or suites
  check [--full]          check types, lint, boundaries, unused code, formatting, generated files and licences; --full:
                          also all SQL, the documentation site, the SBOM and the sizes of the web app
  build [--images DIR]    build everything into dist/; --images: also lay out the content of each container image
  compose-env             write .env for infra/docker-compose.yml with new secrets, unless it exists
  bench [goal] [--short] [--compare] [--keep]
                          measure against the performance goals; load: the load scenarios; peers: beside Parse Server;
                          long: what a run of everything leaves out; --short: in minutes; --compare: beside the figures
                          in bench/figures; --keep: store the figures there
  mutants [path...]       change the rules in every small way and see whether their specs notice; a path: only the rules
                          of that file
  doctor                  list which tools are installed, what is missing and what installs it
  doctor --deployment     check the running instance: versions, migrations, lag, stopped work, disk, clocks, certificates
  invariants              check that every total of the running instance adds up
  reset [--yes]           delete all data
  logs [service] [...]    follow the logs; arguments after the service go to tail: -n 5
  psql [service] [...]    open a service's database; arguments after the service go to psql: -c 'select 1'
  rebuild <service> <read model> | --all
                          rebuild read models from the event logs, then switch to the new rows
  redrive <service>       retry the parked messages
  backup <folder>         save the running instance as of one moment
  restore <folder> [--yes] [--keys FILE]
                          replace the current data with a backup; --yes: do not ask
  begin-epoch <service>   after its database was restored from a backup: mark its next events as new
  appoint-admin <e-mail>  make a member an admin
  close-organisation <id>  close an organisation without an admin, and its members' accounts
  confirm-address <e-mail>…
                          confirm addresses without a mail
  test-servers [--containers]
                          keep the servers for single integration suites running
  node | npm | npx ...    run this program under the pinned Node: npm run lint, npx vitest run --project pure libs
`;
