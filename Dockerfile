# The book in a container: docker build --tag naive-bayes-workbook .
#                          docker run --rm --publish 127.0.0.1:8888:8888 naive-bayes-workbook
# VS Code and Codespaces open it by .devcontainer/.
FROM python:3.11.16-slim-trixie

RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/workbook
COPY run.py pyproject.toml uv.lock setup.py LICENSE README.md ./
COPY tools tools
COPY nbcore nbcore
COPY workbook workbook
COPY deploy deploy
RUN deploy/install python

RUN useradd --create-home --uid 1000 student
USER student
WORKDIR /home/student
COPY --chown=student notebooks notebooks
COPY --chown=student proofs proofs

EXPOSE 8888
# In the container every address, else --publish could not reach it; the token in the log is the key.
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser", "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb"]
