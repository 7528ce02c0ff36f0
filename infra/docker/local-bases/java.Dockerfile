FROM localhost/caravan-local/debian:bookworm
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless maven && rm -rf /var/lib/apt/lists/*
# What this machine trusts, which may be more than Debian does.
COPY --from=certificates java/cacerts /etc/ssl/certs/java/cacerts
