@echo off
setlocal
set "program=%~dp0..\environment\program"
if not exist "%program%\install.py" set "program=%~dp0..\program"
set _TIDEGAUGE_AS_COMMAND=1
rem Without it, a py.exe or python.exe of the folder that this is run in, perhaps a repository, would come first.
set NoDefaultCurrentDirectoryInExePath=1
set any=python
where py >nul 2>nul && set any=py -3
for %%c in (install update repair uninstall) do if "%~1"=="%%c" (
    %any% -I "%program%\install.py" %*
    exit /b
)
if not exist "%~dp0..\environment\Scripts\python.exe" (
    echo tidegauge: its Python is gone; run: "%~f0" repair 1>&2
    exit /b 1
)
"%~dp0..\environment\Scripts\python.exe" -I -m commands %*
