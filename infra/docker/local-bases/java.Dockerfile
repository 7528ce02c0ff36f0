FROM localhost/caravan-local/debian:bookworm
COPY --from=certificates ca-certificates.crt /usr/local/share/ca-certificates/machine.crt
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless maven && rm -rf /var/lib/apt/lists/*
